/**
 * Something expected that went wrong with a server. `message` is one or more sentences for the user and the model, in which
 * the server is “it”.
 */
export class ServerFailure extends Error {
  override readonly name: string = 'ServerFailure';
}

/** A call reached no server, since the one that was there is gone: it can be made again once the server has been started anew. */
export class ServerGone extends ServerFailure {
  override readonly name = 'ServerGone';
}

/** The words of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
