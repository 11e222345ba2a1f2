/**
 * Something expected that went wrong with a server. `message` is one or more sentences for the user and the model,
 * in which the server is “it”.
 */
export class ServerFailure extends Error {
  override readonly name: string = 'ServerFailure';
}

/** A call that reached no server, because the server is gone. It can be made again after a restart. */
export class ServerGone extends ServerFailure {
  override readonly name = 'ServerGone';
}
