import { randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { NewPasskey, PasskeyAssertion } from '@trestle/contracts/accounts/second-factors'
import type { AccountsTransaction } from '../database.module.js'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import type { User } from '../users/user.js'
import { type RelyingParty, relyingPartyOf } from './relying-party.js'
import { invalidFactor, type PasskeyFactor } from './second-factor.js'
import { SecondFactorsRepository } from './second-factors.repository.js'

type Passkey = Pick<PasskeyFactor, 'credentialId' | 'publicKey' | 'signatureCounter' | 'transports'>
type Verified = { readonly success: true; readonly passkey: Passkey } | { readonly success: false; readonly cause: unknown }

interface PasskeyAnswer {
  readonly assertion: PasskeyAssertion
  readonly challenge: string
  /** Null where nobody was asked: then the PIN or fingerprint is required, and the passkey names the user. */
  readonly askedUserId: string | null
}

// COSE: EdDSA, ES256 and RS256.
const ALGORITHMS = [-8, -7, -257]

/** WebAuthn: what browsers are asked, and whether their answers are right. */
@Injectable()
export class PasskeysService {
  private readonly party: RelyingParty

  constructor(
    private readonly factors: SecondFactorsRepository,
    @Inject(ENV) env: AccountsEnv,
  ) {
    this.party = relyingPartyOf(env.PUBLIC_URL)
  }

  creationOptions({ id, email }: Pick<User, 'id' | 'email'>, challenge: string, existing: readonly PasskeyFactor[]) {
    return generateRegistrationOptions({
      rpName: this.party.id,
      rpID: this.party.id,
      userID: userHandleOf(id),
      userName: email,
      challenge: bytesOf(challenge),
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: existing.map(referenceTo),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    })
  }

  /** Without passkeys: the browser offers those that it has for this platform, and must ask for a PIN or fingerprint. */
  requestOptions(challenge: string, passkeys?: readonly PasskeyFactor[]) {
    return generateAuthenticationOptions({
      rpID: this.party.id,
      challenge: bytesOf(challenge),
      allowCredentials: passkeys?.map(referenceTo),
      userVerification: passkeys ? 'preferred' : 'required',
    })
  }

  /** The public part of a passkey that was made for this challenge. */
  async verifyNew(response: NewPasskey, challenge: string): Promise<Verified> {
    const expected = { expectedChallenge: challenge, expectedOrigin: this.party.origin, expectedRPID: this.party.id }
    try {
      const { registrationInfo } = await verifyRegistrationResponse({
        ...expected,
        response: { ...response, clientExtensionResults: {} } as Parameters<typeof verifyRegistrationResponse>[0]['response'],
        supportedAlgorithmIDs: ALGORITHMS,
        requireUserVerification: false,
      })
      if (!registrationInfo) return { success: false, cause: 'not verified' }
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential
      return { success: true, passkey: { credentialId: bytesOf(id), publicKey, signatureCounter: BigInt(counter), transports } }
    } catch (cause) {
      // The library throws for whatever is wrong with the response.
      return { success: false, cause }
    }
  }

  async add(
    tx: AccountsTransaction,
    factor: Pick<PasskeyFactor, 'userId' | 'name' | 'createdAt'>,
    passkey: Passkey,
  ): Promise<PasskeyFactor> {
    const added = { id: `factor-${randomUUID()}`, kind: 'passkey', ...factor, ...passkey } as const
    if (!(await this.factors.insertPasskey(tx, added))) throw invalidFactor('the credential is registered already')
    return { ...added, usedAt: null }
  }

  /** Uses up a signature: returns the owner of the passkey, or undefined where it is not a right one of whom was asked. */
  async use({ assertion, challenge, askedUserId }: PasskeyAnswer, now: Date): Promise<string | undefined> {
    const passkey = await this.factors.findPasskey(bytesOf(assertion.id))
    if (!passkey || (askedUserId !== null && passkey.userId !== askedUserId)) return undefined
    const counter = await this.verifyAssertion(assertion, challenge, passkey, askedUserId === null)
    const isUsed = counter !== undefined && (await this.factors.useCounter(passkey.id, counter, now))
    return isUsed ? passkey.userId : undefined
  }

  /** The counter of a signature over this challenge; undefined if it is not one. */
  private async verifyAssertion(
    response: PasskeyAssertion,
    challenge: string,
    { credentialId, publicKey, signatureCounter, userId }: PasskeyFactor,
    requireUserVerification: boolean,
  ): Promise<bigint | undefined> {
    const { userHandle } = response.response
    if (userHandle && !Buffer.from(userHandle, 'base64url').equals(userHandleOf(userId))) return undefined
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...response, clientExtensionResults: {} } as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
        expectedChallenge: challenge,
        expectedOrigin: this.party.origin,
        expectedRPID: this.party.id,
        credential: { id: textOf(credentialId), publicKey, counter: Number(signatureCounter) },
        requireUserVerification,
      })
      return verified ? BigInt(authenticationInfo.newCounter) : undefined
    } catch {
      return undefined
    }
  }
}

/** Not the address: an authenticator may show the handle to whoever holds it. */
function userHandleOf(userId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(userId.replace(/^user-|-/g, ''), 'hex'))
}

function referenceTo({ credentialId, transports }: PasskeyFactor) {
  return { id: textOf(credentialId), transports: [...transports] as NonNullable<Transports> }
}

type Transports = NonNullable<Parameters<typeof generateAuthenticationOptions>[0]['allowCredentials']>[number]['transports']

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
