import type { Catalog } from '../catalog/catalog';
import type { Tool, ToolDefinition } from '../catalog/tool';
import { providerPermission } from '../code/callPermission';
import type { Transcript } from '../conversation/transcript';
import { notesFirst } from '../conversation/unanswered';
import type { ModelRequest } from '../ports';
import type { RequestParts } from '../usage/accounting';
import { definitionOf } from '../usage/tokens';
import { twinTranscript } from '../usage/twin';
import { ownToolCount } from './delivery';
import { ownDefinitions } from './ownTools';
import { isDirect, isNative, type PlanInputs, type Round, type Setup, usesProviderCode } from './turnPlan';

/** A round's request, what it is made of, and a sentence where not all that was discovered fits into it. */
interface PlannedRequest {
  readonly parts: RequestParts;
  readonly request: ModelRequest;
  readonly leftOut?: string;
}

/** @param calledInTurn names of the tools that this turn called */
export function planRequest(
  setup: Setup,
  round: Round,
  inputs: PlanInputs,
  calledInTurn: ReadonlySet<string>,
): PlannedRequest {
  const { settings, model, references, caller } = inputs;
  const { plan, delivery } = setup;
  const transcript = notesFirst(inputs.transcript);
  const searchable = round.deferred.length > 0;
  const native = isNative(setup);
  const direct = isDirect(setup, inputs);
  const discovered = toolsOf(round.discovered, round.catalog).filter(direct);
  const room = native
    ? Number.POSITIVE_INFINITY
    : model.maxTools - plan.eager.length - ownToolCount(delivery.name, setup.code);
  const inSight = delivery.name === 'bridge' ? [] : discovered.slice(Math.max(0, discovered.length - room));
  const required = caller?.mustCall
    ? plan.eager
    : plan.eager.filter((tool) => references.has(tool.id) && !calledInTurn.has(tool.modelName));
  const callerOf = usesProviderCode(inputs) ? providerPermission(settings) : undefined;
  const withCallers = (tools: readonly ToolDefinition[]) =>
    callerOf ? tools.map((tool) => calledBy(tool, callerOf(tool))) : tools;
  const ids = new Set([...plan.eager, ...round.deferred].map(({ id }) => id));
  const all = round.catalog.tools.filter(({ id }) => ids.has(id));
  const twin = twinTranscript(transcript);
  const twinCode = setup.code && settings.codeMode === 'on';
  const counted = calledTools(twin, all);
  const parts: RequestParts = {
    transcript,
    system: caller?.system ?? '',
    guidance: searchable ? (setup.opening.guidance?.text ?? '') : '',
    own: searchable
      ? ownDefinitions(delivery.name, { strategy: setup.strategy.name, code: setup.code })
      : setup.code
        ? ownDefinitions('server', { code: true })
        : [],
    eager: plan.eager,
    discovered: inSight,
    all,
    twin: {
      request: {
        system: caller?.system ?? '',
        transcript: twin,
        tools: [...(twinCode ? ownDefinitions('server', { code: true }) : []), ...definitions(counted)],
        delivery: 'local',
        strategy: setup.strategy.name,
        deferred: [],
        required: [],
      },
      counted,
      same:
        round.deferred.length === 0 &&
        twin.length === transcript.length &&
        twin.every((item, at) => item === transcript[at]),
    },
  };
  const request: ModelRequest = {
    system: [parts.system, parts.guidance].filter(Boolean).join('\n\n'),
    transcript,
    tools: [...parts.own, ...withCallers(definitions(native ? plan.eager : [...plan.eager, ...inSight]))],
    delivery: delivery.name,
    strategy: setup.strategy.name,
    deferred: native ? withCallers(definitions(round.deferred.filter(direct))) : [],
    required: required.map((tool) => tool.modelName),
    ...(native && setup.opening.names && { opened: setup.opening.names }),
  };
  const cut = delivery.name !== 'bridge' && inSight.length < discovered.length;
  return {
    request,
    parts,
    ...(cut
      ? {
          leftOut: `Only the newest ${inSight.length} of ${discovered.length} discovered tools fit under the ${model.maxTools} tools that ${model.name} takes.`,
        }
      : {}),
  };
}

/** The tools that a conversation calls, or any one: a service counts a prompt of its own as soon as there is a tool. */
function calledTools(transcript: Transcript, all: readonly Tool[]): readonly Tool[] {
  const names = new Set(
    transcript.flatMap((item) => (item.kind === 'assistant' ? item.calls.map(({ name }) => name) : [])),
  );
  const called = all.filter(({ modelName }) => names.has(modelName));
  return called.length > 0 ? called : all.slice(0, 1);
}

function definitions(tools: readonly Tool[]) {
  return tools.map((tool) => definitionOf(tool).definition);
}

const called = new WeakMap<ToolDefinition, ToolDefinition>();

/** A definition with its callers; made once, since what is known of definitions hangs on the object. */
function calledBy(tool: ToolDefinition, callers: ToolDefinition['callers']): ToolDefinition {
  if (callers === undefined) return tool;
  const made = called.get(tool);
  if (made?.callers === callers) return made;
  const definition = { ...tool, callers };
  called.set(tool, definition);
  return definition;
}

/** Tools by their ids, without those that are gone. */
export function toolsOf(ids: Iterable<string>, catalog: Catalog): readonly Tool[] {
  return [...ids].map((id) => catalog.byId.get(id)).filter((tool): tool is Tool => tool !== undefined);
}
