import type { AgentTool } from '../../../../src/core/agents/agentCatalog';
import { type AgentTools, type AgentToolsDeps, createAgentTools } from '../../../../src/core/agents/agentTools';
import type { Tool } from '../../../../src/core/catalog/tool';
import type { Ledger } from '../../../../src/core/ledger/ledger';
import type { TurnServices } from '../../../../src/core/turn/turnServices';
import { makeCatalog, makeServices, scriptHost, TestSource } from '../turn/world';

/** A tool as VS Code gives it to agents. */
export function asAgentTool({ invokeName: name, description, inputSchema }: Tool): AgentTool {
  return { name, description, inputSchema };
}

/** Tool Search's tools for agents, over a catalog of these tools. */
export function makeAgentTools(
  tools: readonly Tool[],
  {
    services: given,
    ...deps
  }: Partial<Omit<AgentToolsDeps, 'services'>> & { readonly services?: Partial<TurnServices> } = {},
): { readonly agent: AgentTools; readonly ledger: Ledger; readonly source: TestSource } {
  const source = new TestSource(makeCatalog(tools));
  const services = makeServices(source, given);
  const agent = createAgentTools({ services, warn: () => {}, scripts: scriptHost(), ...deps });
  return { agent, ledger: services.ledger, source };
}
