import type { ServiceId } from '../../core/settings/modelServices';
import { createAnthropicPort } from '../anthropic/anthropicPort';
import { Capabilities } from '../capabilities';
import { createOpenaiPort } from '../openai/openaiPort';
import type { OfferedModel } from './chooseModels';
import type { CreatePort, NativeAccess } from './nativeModels';

/**
 * Creates the functions that make the ports of both services. Each port learns about its model separately, since a
 * feature that one key or address refuses may be allowed with another.
 */
export function createNativePorts(): { readonly [service in ServiceId]: CreatePort } {
  const prepare = (service: ServiceId, { id, name, ...limits }: OfferedModel, access: NativeAccess) => {
    const capabilities = new Capabilities();
    capabilities.learn(service, id, limits);
    return { model: id, name, capabilities, ...access };
  };
  return {
    anthropic: (model, access) => createAnthropicPort(prepare('anthropic', model, access)),
    openai: (model, access) => createOpenaiPort(prepare('openai', model, access)),
  };
}
