import type { FactorChallenge, NewPasskey, PasskeyAssertion } from '@trestle/contracts/accounts/second-factors'
import { Problem } from '@trestle/problem/problem'
import { secondFactorsTexts as texts } from '../texts/second-factors.js'

/** Passkeys belong to a name, not to an address (WebAuthn section 5.1.3), and need https or localhost. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis && isSecureContext && !/^(\d+\.\d+\.\d+\.\d+|\[.*\])$/.test(location.hostname)
}

export async function createPasskey(options: object): Promise<NewPasskey> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  return asJson<NewPasskey>(await given(() => navigator.credentials.create({ publicKey })))
}

export async function usePasskeyFor({ passkey }: Pick<FactorChallenge, 'passkey'>): Promise<PasskeyAssertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(passkey as unknown as PublicKeyCredentialRequestOptionsJSON)
  return asJson<PasskeyAssertion>(await given(() => navigator.credentials.get({ publicKey })))
}

/** The user may have closed the browser's question. */
async function given(ask: () => Promise<Credential | null>): Promise<Credential> {
  const credential = await ask().catch(() => null)
  if (!credential) throw new Problem('invalid', 'NoPasskey', texts.cancelled)
  return credential
}

function asJson<T>(credential: Credential): T {
  return (credential as PublicKeyCredential).toJSON() as T
}
