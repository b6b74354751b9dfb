import { randomBytes, randomUUID } from 'node:crypto'
import { Inject, Injectable } from '@nestjs/common'
import type { secondFactors } from '@trestle/contracts/accounts/second-factors'
import type { Reply } from '@trestle/contracts/endpoint'
import { Clock } from '@trestle/runtime/clock'
import { PlainSealer } from '@trestle/runtime/sealing'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import type { User } from '../users/user.js'
import type { FactorChange } from './factor-changes.service.js'
import { relyingPartyOf } from './relying-party.js'
import { type TotpFactor, unknownFactor } from './second-factor.js'
import { SecondFactorsRepository } from './second-factors.repository.js'
import { acceptedStep, base32, otpauthUri, SECRET_BYTES } from './totp.js'

const NAME = 'Authenticator app'
const PENDING_MS = 3600_000

/** Authenticator apps: their secrets are stored sealed and shown once, each of their codes is accepted once. */
@Injectable()
export class TotpService {
  readonly #sealer: PlainSealer
  readonly #issuer: string

  constructor(
    private readonly factors: SecondFactorsRepository,
    private readonly clock: Clock,
    @Inject(ENV) env: AccountsEnv,
  ) {
    this.#sealer = new PlainSealer(env.KEY_ENCRYPTION_KEY)
    this.#issuer = relyingPartyOf(env.PUBLIC_URL).id
  }

  /** The secret of a new app, which counts for nothing until a code has confirmed that the app has it. */
  async begin({ id: userId, email: account }: Pick<User, 'id' | 'email'>): Promise<Reply<typeof secondFactors.enrolTotp>> {
    const bytes = randomBytes(SECRET_BYTES)
    const secretSealed = new Uint8Array(this.#sealer.seal(bytes.toString('base64')))
    const factor = { id: `factor-${randomUUID()}`, userId, kind: 'totp', name: NAME, createdAt: this.clock.now(), secretSealed } as const
    await this.factors.insertPendingTotp(factor)
    const secret = base32(bytes)
    return { secret, uri: otpauthUri({ secret, issuer: this.#issuer, account }) }
  }

  /** The app that the user has begun to add lately, and not confirmed. */
  async requirePending(userId: string): Promise<TotpFactor> {
    const pending = await this.factors.findPendingTotp(userId, new Date(this.clock.now().getTime() - PENDING_MS))
    if (!pending) throw unknownFactor()
    return pending
  }

  /** Makes the app count, by the time step of a code of it. */
  async confirm(pending: TotpFactor, step: number, { tx, now }: Pick<FactorChange, 'tx' | 'now'>): Promise<TotpFactor> {
    if (!(await this.factors.confirmTotp(tx, pending, step, now))) throw unknownFactor()
    return { ...pending, usedAt: now }
  }

  /** The time step of the code, if it is right and later than the last one. */
  stepOf({ secretSealed, lastStep }: TotpFactor, code: string, now: Date): number | undefined {
    return acceptedStep(Buffer.from(this.#sealer.open(secretSealed), 'base64'), code, { now, lastStep })
  }

  /** Uses up the code of a user's app; false if it is wrong. */
  async use(userId: string, code: string, now: Date): Promise<boolean> {
    const totp = (await this.factors.list(userId)).find((factor) => factor.kind === 'totp')
    const step = totp && this.stepOf(totp, code, now)
    return totp !== undefined && step !== undefined && this.factors.useStep(totp.id, step, now)
  }
}
