import { isCodeTool, refuseCode, refuseCodeTools } from './openaiCode.mjs';

/**
 * The refusals of the Responses API, in its own words: `{message, param, code}`, or undefined if the request is valid.
 */
const NAME = /^[a-zA-Z0-9_-]+$/;
const MAX_NAME = 64;
const MAX_TOOLS = 128;

const FIELDS = {
  body: 'model input instructions tools tool_choice stream store include max_output_tokens parallel_tool_calls temperature top_p reasoning text truncation metadata user prompt_cache_key prompt_cache_options prompt_cache_retention service_tier previous_response_id safety_identifier stream_options max_tool_calls',
  function: 'type name description parameters strict defer_loading output_schema allowed_callers',
  namespace: 'type name description tools',
  tool_search: 'type execution description parameters',
  message: 'type role content id status phase',
  function_call: 'type id call_id name arguments namespace status caller',
  function_call_output: 'type id call_id output status caller',
  tool_search_call: 'type id call_id arguments execution status',
  tool_search_output: 'type id call_id tools execution status',
  reasoning: 'type id summary content encrypted_content status',
  programmatic_tool_calling: 'type',
  program: 'type id call_id code fingerprint',
  program_output: 'type id call_id result status',
  additional_tools: 'type role tools id',
  // The item that the fault `unknown` sends. A service accepts its own items.
  novel_item: 'type id status payload',
};

const problem = (message, param = null, code = null) => ({ message, param, code });
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

export const itemsOf = (input) =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;
export const kindOf = (item) => item.type ?? (item.role ? 'message' : 'unknown');

/** All functions of a list of tools with the namespace in which they are called; null is the default namespace. */
export function functionsOf(tools) {
  return tools.flatMap((tool) => {
    if (tool.type === 'namespace') return tool.tools.map((inner) => ({ ...inner, namespace: tool.name }));
    return tool.type === 'function' ? [{ ...tool, namespace: tool.defer_loading ? tool.name : null }] : [];
  });
}

/** Returns the first error in a request. `searching`: the model has tool search. */
export function refuse(
  body,
  {
    rejected = [],
    searching = true,
    callsTools = true,
    returns = true,
    addsTools = true,
    choosesCache = true,
    code,
  } = {},
) {
  const unknown = unknownField('', body, FIELDS.body);
  if (unknown) return unknown;
  const { tools = [], input } = body;
  if (typeof input !== 'string' && !Array.isArray(input))
    return problem("Missing required parameter: 'input'.", 'input', 'missing_required_parameter');
  return (
    refuseTools(tools, { rejected, searching, model: body.model }) ??
    refuseReturns(tools, returns) ??
    refuseCodeTools(body, functionsOf(tools), callsTools) ??
    refuseChoice(body) ??
    refuseCacheOptions(body, choosesCache) ??
    refuseAdditions(itemsOf(input), { addsTools, rejected, model: body.model }) ??
    refuseInput(itemsOf(input), tools, body) ??
    (code ? refuseCode(itemsOf(input), code) : undefined)
  );
}

function refuseTools(tools, { rejected, searching, model }) {
  const seen = new Set();
  if (tools.length > MAX_TOOLS)
    return problem(
      `Invalid 'tools': array too long. Expected an array with maximum length ${MAX_TOOLS}, but got an array with length ${tools.length} instead.`,
      'tools',
      'array_above_max_length',
    );
  for (const [index, tool] of tools.entries()) {
    const at = `tools[${index}]`;
    if (isCodeTool(tool)) {
      if (seen.has(tool.type)) return problem('Only one programmatic_tool_calling tool is allowed.', 'tools');
      seen.add(tool.type);
      continue;
    }
    if (!['function', 'namespace', 'tool_search'].includes(tool.type))
      return problem(
        `Invalid value: '${tool.type}'. Supported values are: 'function', 'namespace', 'tool_search'.`,
        `${at}.type`,
        'invalid_value',
      );
    const unknown = unknownField(at, tool, FIELDS[tool.type]);
    if (unknown) return unknown;
    if (tool.type === 'tool_search') {
      if (!searching) return problem(`Tool 'tool_search' is not supported with ${model}.`, 'tools');
      if (seen.has('tool_search')) return problem('Only one tool_search tool is allowed.', 'tools');
      if (tool.execution === 'client' && !tool.description)
        return problem(
          `Invalid '${at}.description': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
          `${at}.description`,
          'empty_string',
        );
      if (tool.execution === 'client' && !isObject(tool.parameters))
        return problem(
          `Missing required parameter: '${at}.parameters'.`,
          `${at}.parameters`,
          'missing_required_parameter',
        );
      if (tool.execution !== 'client' && (tool.parameters || tool.description))
        return problem(
          "'description' and 'parameters' are only allowed when execution is 'client'.",
          at,
          'invalid_value',
        );
    }
    const bad = refuseName(at, tool) ?? refuseDefinition(at, tool, rejected);
    if (bad) return bad;
    const key = tool.type === 'tool_search' ? 'tool_search' : tool.name;
    if (seen.has(key)) return problem(`Duplicate tool name '${key}'.`, `${at}.name`, 'invalid_value');
    seen.add(key);
  }
  if (!seen.has('tool_search') && functionsOf(tools).some((tool) => tool.defer_loading))
    return problem('Deferred tools require tools.tool_search.', 'tools');
  return undefined;
}

/** @param returns whether the service knows schemas of results */
function refuseReturns(tools, returns) {
  const given = functionsOf(tools).find(
    ({ output_schema }) => output_schema !== undefined && !(returns && isObject(output_schema)),
  );
  return (
    given &&
    problem(`Unknown parameter: 'output_schema' of function '${given.name}'.`, 'output_schema', 'unknown_parameter')
  );
}

function refuseName(at, tool) {
  if (tool.type === 'tool_search') return undefined;
  if (typeof tool.name !== 'string' || tool.name === '')
    return problem(`Missing required parameter: '${at}.name'.`, `${at}.name`, 'missing_required_parameter');
  if (!NAME.test(tool.name))
    return problem(
      `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      `${at}.name`,
      'invalid_value',
    );
  if (tool.name.length > MAX_NAME)
    return problem(
      `Invalid '${at}.name': string too long. Expected a string with maximum length ${MAX_NAME}, but got a string with length ${tool.name.length} instead.`,
      `${at}.name`,
      'string_above_max_length',
    );
  return undefined;
}

function refuseDefinition(at, tool, rejected) {
  if (tool.type === 'function') return refuseSchema(at, tool, rejected);
  if (tool.type !== 'namespace') return undefined;
  if (typeof tool.description !== 'string' || tool.description === '')
    return problem(
      `Missing required parameter: '${at}.description'.`,
      `${at}.description`,
      'missing_required_parameter',
    );
  if (!Array.isArray(tool.tools) || tool.tools.length === 0)
    return problem(`Invalid '${at}.tools': empty array.`, `${at}.tools`, 'empty_array');
  const names = new Set();
  for (const [index, inner] of tool.tools.entries()) {
    const place = `${at}.tools[${index}]`;
    const bad =
      unknownField(place, inner, FIELDS.function) ?? refuseName(place, inner) ?? refuseSchema(place, inner, rejected);
    if (bad) return bad;
    if (names.has(inner.name)) return problem(`Duplicate tool name '${inner.name}'.`, `${place}.name`, 'invalid_value');
    names.add(inner.name);
  }
  return undefined;
}

function refuseSchema(at, tool, rejected) {
  const invalid = (why) =>
    problem(`Invalid schema for function '${tool.name}': ${why}`, `${at}.parameters`, 'invalid_function_parameters');
  const schema = tool.parameters;
  if (rejected.includes(tool.name))
    return invalid("In context=('properties', 'value'), schema must have a 'type' key.");
  if (schema === null || schema === undefined) return undefined;
  if (schema.type !== 'object')
    return invalid(`schema must be a JSON Schema of 'type: "object"', got 'type: "${schema.type ?? 'None'}"'.`);
  if (schema.oneOf || schema.anyOf || schema.allOf || schema.enum || schema.not)
    return invalid(
      "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
    );
  return tool.strict ? notStrict(schema, []) && invalid(notStrict(schema, [])) : undefined;
}

/** The reason why a schema isn't valid in strict mode; undefined if it is valid. */
function notStrict(schema, path) {
  if (!isObject(schema)) return undefined;
  const context = `In context=(${path.map((key) => `'${key}'`).join(', ')})`;
  if (schema.type === 'object' || schema.properties) {
    if (schema.additionalProperties !== false)
      return `${context}, 'additionalProperties' is required to be supplied and to be false.`;
    const missing = Object.keys(schema.properties ?? {}).find((name) => !(schema.required ?? []).includes(name));
    if (missing !== undefined)
      return `${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
  }
  const unsupported = [
    'allOf',
    'not',
    'if',
    'then',
    'else',
    'oneOf',
    'patternProperties',
    'uniqueItems',
    'default',
  ].find((word) => word in schema);
  if (unsupported) return `${context}, '${unsupported}' is not permitted.`;
  const children = [
    ...Object.entries(schema.properties ?? {}).map(([name, value]) => [value, [...path, 'properties', name]]),
    ...(schema.items ? [[schema.items, [...path, 'items']]] : []),
    ...(schema.anyOf ?? []).map((value, index) => [value, [...path, 'anyOf', String(index)]]),
  ];
  return children.map(([value, where]) => notStrict(value, where)).find((why) => why !== undefined);
}

const MODES = ['implicit', 'explicit'];
const CACHE_OPTIONS = 'mode ttl comparison_response_id';

/** Checks the cache choices of a request: its options, and the breakpoints of its content. */
function refuseCacheOptions({ prompt_cache_options: options, input }, choosesCache) {
  const parts = itemsOf(input).flatMap(({ content, output }) => [content, output].filter(Array.isArray).flat());
  const marked = parts.some((part) => part.prompt_cache_breakpoint);
  if (!choosesCache && options)
    return problem("Unknown parameter: 'prompt_cache_options'.", 'prompt_cache_options', 'unknown_parameter');
  if (!choosesCache && marked)
    return problem("Unknown parameter: 'prompt_cache_breakpoint'.", 'input', 'unknown_parameter');
  if (!options) return undefined;
  const unknown = unknownField('prompt_cache_options', options, CACHE_OPTIONS);
  if (unknown) return unknown;
  if (options.mode !== undefined && !MODES.includes(options.mode))
    return problem(
      `Invalid value: '${options.mode}'. Supported values are: 'implicit' and 'explicit'.`,
      'prompt_cache_options.mode',
      'invalid_value',
    );
  return undefined;
}

/** Checks the tools that come in the input, each with its whole definition. */
function refuseAdditions(items, { addsTools, rejected, model }) {
  for (const [index, item] of items.entries()) {
    if (item.type !== 'additional_tools') continue;
    const at = `input[${index}]`;
    if (!addsTools) return problem(`Item 'additional_tools' is not supported with ${model}.`, at, 'invalid_value');
    if (item.role !== 'developer')
      return problem(`Invalid value: '${item.role}'. Supported values are: 'developer'.`, `${at}.role`);
    if (!Array.isArray(item.tools) || item.tools.length === 0)
      return problem(`Invalid '${at}.tools': empty array.`, `${at}.tools`);
    for (const [place, tool] of item.tools.entries()) {
      const where = `${at}.tools[${place}]`;
      const bad =
        unknownField(where, tool, FIELDS.function) ?? refuseName(where, tool) ?? refuseSchema(where, tool, rejected);
      if (bad) return bad;
    }
  }
  return undefined;
}

function refuseChoice({ tool_choice: choice, tools = [] }) {
  if (!isObject(choice)) return undefined;
  const named = choice.type === 'allowed_tools' ? (choice.tools ?? []) : [choice];
  if (choice.type === 'allowed_tools' && !['auto', 'required'].includes(choice.mode))
    return problem(
      `Invalid value: '${choice.mode}'. Supported values are: 'auto' and 'required'.`,
      'tool_choice.mode',
      'invalid_value',
    );
  const missing = named.find((entry) => !tools.some((tool) => tool.type === entry.type && tool.name === entry.name));
  return (
    missing &&
    problem(
      `Tool choice '${missing.type}' named '${missing.name}' not found in 'tools' parameter.`,
      'tool_choice',
      'invalid_value',
    )
  );
}

function refuseInput(items, tools, { store }) {
  const idsOf = (kind) => new Set(items.filter((item) => kindOf(item) === kind).map((item) => item.call_id));
  const declared = [
    ...functionsOf(tools),
    ...items.filter((item) => kindOf(item) === 'tool_search_output').flatMap((item) => functionsOf(item.tools ?? [])),
    ...items.filter((item) => kindOf(item) === 'additional_tools').flatMap((item) => functionsOf(item.tools)),
  ];
  const inDefault = new Set(declared.filter((tool) => tool.namespace === null).map((tool) => tool.name));
  const inNamespace = new Set(declared.filter((tool) => tool.namespace !== null).map((tool) => tool.name));
  const input = {
    store,
    /** The ids of the calls and searches before an item, and of all outputs. */
    calls: new Set(),
    searches: new Set(),
    outputs: idsOf('function_call_output'),
    answers: idsOf('tool_search_output'),
    needsNamespace: (name) => inNamespace.has(name) && !inDefault.has(name),
  };
  for (const [index, item] of items.entries()) {
    const at = `input[${index}]`;
    const kind = kindOf(item);
    if (!(kind in FIELDS) || kind === 'body')
      return problem(
        `Invalid value: '${item.type}'. Supported values are: 'message', 'reasoning', 'function_call', 'function_call_output', 'tool_search_call', 'tool_search_output'.`,
        at,
        'invalid_value',
      );
    const bad = unknownField(at, item, FIELDS[kind]) ?? ITEM_RULES[kind]?.(item, at, input, items[index + 1]);
    if (bad) return bad;
    if (kind === 'function_call') input.calls.add(item.call_id);
    if (kind === 'tool_search_call') input.searches.add(item.call_id);
  }
  return undefined;
}

/** The rules of an item by its kind. They receive its place, the whole input and the next item. */
const ITEM_RULES = {
  function_call: refuseCall,
  function_call_output(item, _, { calls }) {
    if (!calls.has(item.call_id))
      return problem(`No tool call found for function call output with call_id ${item.call_id}.`, 'input');
    if (imagesOf(item).some(({ image_url: url }) => !/^data:image\/(png|jpeg|webp|gif);base64,./.test(url)))
      return problem('The image data you provided does not represent a valid image.', 'input', 'invalid_value');
    return undefined;
  },
  tool_search_call(item, at, { answers }) {
    if (item.arguments === undefined)
      return problem(`Missing required parameter: '${at}.arguments'.`, `${at}.arguments`, 'missing_required_parameter');
    if (item.execution === 'client' && !answers.has(item.call_id))
      return problem(`No tool search output found for tool search call ${item.call_id}.`, 'input');
    return undefined;
  },
  tool_search_output(item, at, { searches }) {
    if (item.execution === 'client' && !searches.has(item.call_id))
      return problem(`No tool search call found for tool search output with call_id ${item.call_id}.`, 'input');
    if (!Array.isArray(item.tools))
      return problem(`Missing required parameter: '${at}.tools'.`, `${at}.tools`, 'missing_required_parameter');
    return undefined;
  },
  reasoning(item, _, { store }, next) {
    if (store === false && !item.encrypted_content)
      return problem(
        `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
        'input',
      );
    if (!next || kindOf(next) === 'function_call_output' || next.role === 'user')
      return problem(
        `Item '${item.id}' of type 'reasoning' was provided without its required following item.`,
        'input',
      );
    return undefined;
  },
};

function refuseCall(item, at, { calls, outputs, needsNamespace }) {
  if (typeof item.name !== 'string' || !NAME.test(item.name))
    return problem(
      `Invalid '${at}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      `${at}.name`,
      'invalid_value',
    );
  if (typeof item.call_id !== 'string' || item.call_id === '' || item.call_id.length > 64)
    return problem(
      `Invalid '${at}.call_id': expected a string of 1 to 64 characters.`,
      `${at}.call_id`,
      'invalid_value',
    );
  if (typeof item.arguments !== 'string')
    return problem(
      `Invalid type for '${at}.arguments': expected a string, but got an object instead.`,
      `${at}.arguments`,
      'invalid_type',
    );
  if (!item.caller && !item.namespace && needsNamespace(item.name))
    return problem(
      `Missing namespace for function_call '${item.name}'. It does not exist in the default namespace. Round-trip the model's function_call item with its namespace field included.`,
      `${at}.namespace`,
    );
  if (calls.has(item.call_id)) return problem(`Duplicate item found with call_id ${item.call_id}.`, 'input');
  if (!outputs.has(item.call_id)) return problem(`No tool output found for function call ${item.call_id}.`, 'input');
  return undefined;
}

const imagesOf = ({ output }) => (Array.isArray(output) ? output.filter((part) => part.type === 'input_image') : []);

function unknownField(at, object, known) {
  const field = Object.keys(object).find((name) => !known.split(' ').includes(name));
  if (field === undefined) return undefined;
  const path = at ? `${at}.${field}` : field;
  return problem(`Unknown parameter: '${path}'.`, path, 'unknown_parameter');
}
