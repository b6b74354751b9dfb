import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { hash, type Options, parseOptions, verify } from '@node-rs/argon2'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter } from 'prom-client'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { ConcurrencyLimiter, type Place } from './concurrency-limiter.engine.js'

export interface Verification {
  readonly matches: boolean
  /** The hash has other parameters than new ones, and should be replaced. */
  readonly isOutdated: boolean
}

// OWASP ASVS 5.0 appendix C approves argon2id with 19 MiB and two passes.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const MAX_QUEUED = 32
// One core stays free for the event loop, or a burst of sign-ins would slow down every request; and one of libuv's four threads
// for DNS and files.
const SLOTS = Math.min(Math.max(availableParallelism() - 1, 1), 3)

/** argon2id with a pepper, off the event loop, a few at a time. */
@Injectable()
export class HashingService implements OnModuleInit {
  private readonly limiter = new ConcurrencyLimiter(SLOTS, MAX_QUEUED)
  private readonly options: Options
  private readonly malformed: Counter
  /** What the password of an unknown user is compared with: it must take as long as for a known one. */
  private dummyHash = ''

  constructor(
    @Inject(ENV) env: AccountsEnv,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.options = { ...PARAMETERS, secret: Buffer.from(env.PASSWORD_PEPPER) }
    this.malformed = new Counter({
      name: 'password_hash_malformed_total',
      help: 'Stored password hashes that cannot be parsed: the user table is damaged.',
      registers: [metrics.registry],
    })
  }

  async onModuleInit(): Promise<void> {
    this.dummyHash = await hash(randomBytes(32).toString('base64'), this.options)
  }

  /** Problem `Busy` when so many passwords are waiting in this lane that another one would be refused. */
  requireRoom(place: Place): void {
    this.limiter.requireRoom(place)
  }

  hash(password: string, place: Place): Promise<string> {
    return this.limiter.run(place, () => hash(password, this.options))
  }

  /** Compares with a stored hash, or with a dummy one: the work is always that of one hash. */
  verify(stored: string | undefined, password: string, place: Place): Promise<Verification> {
    return this.limiter.run(place, async () => {
      const parseable = this.parseable(stored)
      const matches = await verify(parseable ?? this.dummyHash, password, this.options)
      return parseable === undefined ? { matches: false, isOutdated: false } : { matches, isOutdated: hasOtherParameters(parseable) }
    })
  }

  private parseable(stored: string | undefined): string | undefined {
    if (stored === undefined) return undefined
    try {
      parseOptions(stored)
      return stored
    } catch (error) {
      this.malformed.inc()
      this.logger.error({ err: error }, 'a stored password hash is malformed')
      return undefined
    }
  }
}

function hasOtherParameters(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored)
  return memoryCost !== PARAMETERS.memoryCost || timeCost !== PARAMETERS.timeCost || parallelism !== PARAMETERS.parallelism
}
