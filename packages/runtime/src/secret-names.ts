// An xpub is no secret, and yet shows all that its wallet has and does.
const SECRET = /token|password|passphrase|secret|signature|rawtx|authorization|code|otp|mnemonic|xpub|invitation$/i

/** Whether the value of a parameter or member of this name must not be stored or repeated. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name)
}
