import { createServer } from 'node:http';
import { anthropicError, createAnthropic } from './anthropic.mjs';
import { turnOf } from './anthropicContext.mjs';
import { createPromptCache } from './cache.mjs';
import { createFaults, PAGE } from './faults.mjs';
import { createOpenai, openaiError } from './openai.mjs';
import { itemsOf } from './openaiRules.mjs';
import { sendEvents } from './sse.mjs';

/**
 * The only valid keys. They look like real ones, so that tests can check that they are never stored or sent elsewhere.
 */
export const KEYS = { anthropic: 'sk-ant-standin-3f9c1e', openai: 'sk-proj-standin-7b2d4a' };
/** The number of events after which a stream with the fault `cut` or `stall` stops. */
const STOP_AFTER = 4;
/** Whether an event brings a part of a text. */
const hasText = ({ type, delta }) => type === 'response.output_text.delta' || delta?.type === 'text_delta';
const endsPart = ({ type }) => /^(content_block_stop|response.output_item.done)$/.test(type);

/**
 * Starts a strict stand-in for the services of Anthropic and OpenAI on a free port of this machine. `now` is the clock
 * of its caches, `model` decides what is answered. `requests` holds the received requests, without keys: `{service,
 * method, path, body, status, error, usage, said}`. `said` is the content of a streamed reply.
 * @returns {Promise<{url: string, requests: object[], faults: ReturnType<typeof createFaults>, close: () =>
 * Promise<void>}>}
 */
export async function startStandIn({ port = 0, now = Date.now, model } = {}) {
  const faults = createFaults();
  const requests = [];
  const services = {
    anthropic: createAnthropic(createPromptCache(now), model),
    openai: createOpenai(createPromptCache(now), model),
  };
  const server = createServer((request, response) => {
    handle({ request, response, faults, requests, services }).catch((error) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`The stand-in has a bug: ${error.stack}`);
    });
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

async function handle({ request, response, faults, requests, services }) {
  const { pathname } = new URL(request.url, 'http://standin');
  const text = await readBody(request);
  if (pathname === '/__requests') {
    if (request.method === 'DELETE') requests.length = 0;
    return sendJson(response, 200, requests);
  }
  if (pathname === '/__faults') {
    if (request.method === 'DELETE') faults.clear();
    else {
      const { fault, times } = JSON.parse(text);
      faults.tell(fault, times);
    }
    return sendJson(response, 200, {});
  }
  const service = request.headers['anthropic-version'] || pathname.startsWith('/v1/messages') ? 'anthropic' : 'openai';
  const entry = { service, method: request.method, path: pathname };
  requests.push(entry);
  const reply = answer({ request, service, pathname, text, faults, services, entry });
  entry.status = reply.status;
  if (reply.json?.error) entry.error = reply.json.error.message;
  if (reply.said) entry.said = reply.said;
  const usage =
    reply.json?.usage ??
    reply.events?.findLast((event) => event.usage ?? event.response?.usage ?? event.message?.usage);
  if (usage) entry.usage = usage.usage ?? usage.response?.usage ?? usage.message?.usage ?? usage;
  if (reply.page) {
    response.writeHead(reply.status, { 'content-type': 'text/html' });
    response.end(PAGE);
  } else if (reply.events) await sendEvents(response, reply.events, reply.stop);
  else sendJson(response, reply.status, reply.json, reply.headers);
}

/** The services refuse half of a surrogate pair. */
function wellFormed(_key, value) {
  if (typeof value === 'string' && !value.isWellFormed()) throw new RangeError('no low surrogate in string');
  return value;
}

function answer({ request, service, pathname, text, faults, services, entry }) {
  const problem = refuseKey(service, request.headers) ?? refuseHeaders(service, request.headers);
  if (problem) return problem;
  if (request.method === 'GET') {
    const [, name] = pathname.match(/^\/v1\/models(?:\/(.+))?$/) ?? [];
    return pathname.startsWith('/v1/models')
      ? services[service].models(name && decodeURIComponent(name))
      : failure(service, 404);
  }
  try {
    entry.body = JSON.parse(text, wellFormed);
  } catch (error) {
    const why = error instanceof RangeError ? `The request body is not valid JSON: ${error.message}` : undefined;
    return failure(service, 400, why ?? 'We could not parse the JSON body of your request.');
  }
  const told = faults.take(promptOf(service, entry.body), /_tokens$/.test(pathname));
  const status = [400, 401, 403, 413, 429, 500, 529].find((code) => told.has(String(code)));
  if (told.has('html')) return { status: 200, page: true };
  if (told.has('odd')) return failure(service, 418, 'Something new happened.', 'novel_error');
  if (told.has('quota')) return quota(service);
  if (told.has('wait')) return { ...failure(service, 429), headers: { 'retry-after': '30' } };
  if (told.has('retry')) return { ...failure(service, 429), headers: { 'retry-after': '0' } };
  if (status) return { ...failure(service, status), headers: status === 429 ? { 'retry-after': '1' } : {} };
  const betas = (request.headers['anthropic-beta'] ?? '').split(',').filter(Boolean);
  const reply = route(services, pathname, entry.body, told, betas);
  if (!reply) return failure(service, 404);
  if (told.has('cut')) return { ...reply, stop: { cut: STOP_AFTER } };
  const { events = [] } = reply;
  const isLast = told.has('torn') ? hasText : told.has('half') ? endsPart : () => false;
  const last = events.findIndex(isLast);
  if (last >= 0) entry.torn = true;
  if (last >= 0) return { ...reply, stop: { cut: last + 1 } };
  if (told.has('stall')) return { ...reply, stop: { stall: STOP_AFTER } };
  return reply;
}

function route({ anthropic, openai }, pathname, body, told, betas) {
  switch (pathname) {
    case '/v1/messages':
      return anthropic.message(body, told, betas);
    case '/v1/messages/count_tokens':
      return anthropic.count(body, told);
    case '/v1/responses':
      return openai.response(body, told);
    case '/v1/responses/input_tokens':
      return openai.count(body, told);
    default:
      return undefined;
  }
}

function promptOf(service, body) {
  if (service === 'anthropic') return Array.isArray(body.messages) ? turnOf(body.messages).prompt : '';
  const content = (Array.isArray(body.input) || typeof body.input === 'string' ? itemsOf(body.input) : []).findLast(
    (item) => item.role === 'user',
  )?.content;
  return typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');
}

function refuseKey(service, headers) {
  const given =
    (service === 'anthropic' ? headers['x-api-key'] : undefined) ?? headers.authorization?.replace(/^Bearer /, '');
  if (given === KEYS[service]) return undefined;
  if (!given)
    return failure(
      service,
      401,
      service === 'anthropic'
        ? 'x-api-key header is required'
        : "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
    );
  // The real OpenAI repeats a part of the key.
  return failure(
    service,
    401,
    service === 'anthropic'
      ? undefined
      : `Incorrect API key provided: ${given.slice(0, 8)}***${given.slice(-4)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
  );
}

function refuseHeaders(service, headers) {
  if (service !== 'anthropic') return undefined;
  if (!headers['anthropic-version']) return failure(service, 400, 'anthropic-version: header is required');
  if (headers['anthropic-beta']?.includes('advanced-tool-use'))
    return failure(
      service,
      400,
      `Unexpected value(s) \`${headers['anthropic-beta']}\` for the \`anthropic-beta\` header.`,
    );
  return undefined;
}

function failure(service, status, message, type) {
  const json = service === 'anthropic' ? anthropicError(status, message, type) : openaiError(status, { message, type });
  return { status, json };
}

function quota(service) {
  const message = 'You exceeded your current quota, please check your plan and billing details.';
  if (service === 'anthropic')
    return failure(
      service,
      400,
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    );
  return { status: 429, json: openaiError(429, { message, type: 'insufficient_quota', code: 'insufficient_quota' }) };
}

async function readBody(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

function sendJson(response, status, json, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_standin', ...headers });
  response.end(JSON.stringify(json));
}
