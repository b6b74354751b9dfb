/** A keystore with its sealed password. */
export interface SealedKey {
  readonly pubkey: Buffer
  readonly keystore: string
  readonly sealedPassword: Buffer
}

/** Encrypts the passwords of keystores, so that the database alone opens none. What is sealed for one key opens for no other. */
export abstract class KeySealer {
  abstract seal(password: string, pubkey: Buffer): Buffer
  /** Throws if a byte was changed, the key is another one, or the key that sealed it is no longer configured. */
  abstract open(sealed: Buffer, pubkey: Buffer): string
}
