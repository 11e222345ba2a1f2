/**
 * An expected error of a server. `message` is one or more sentences for the user and the model, in which “it” is the
 * server.
 */
export class ServerFailure extends Error {
  override readonly name: string = 'ServerFailure';
}

/** A call that didn't reach its server, because the server has ended. The call can be repeated after a restart. */
export class ServerGone extends ServerFailure {
  override readonly name = 'ServerGone';
}
