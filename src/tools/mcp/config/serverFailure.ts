/**
 * An expected error of a server. Why a server doesn't start is a sentence for the user, in the user's language, in which
 * “it” is the server; a model gets it as a quotation. Why a call failed is for the model: it continues a sentence.
 */
export class ServerFailure extends Error {
  override readonly name: string = 'ServerFailure';
}

/** A call that didn't reach its server, because the server has ended. The call can be repeated after a restart. */
export class ServerGone extends ServerFailure {
  override readonly name = 'ServerGone';
}
