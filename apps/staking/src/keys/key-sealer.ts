/** Keeps the passwords of keystores from whoever has the database only. What it seals for one key opens for no other. */
export abstract class KeySealer {
  abstract seal(password: string, pubkey: Buffer): Buffer
  /** Throws when a byte was changed, the key is another, or nobody has what sealed it any more. */
  abstract open(sealed: Buffer, pubkey: Buffer): string
}
