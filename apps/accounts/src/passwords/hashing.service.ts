import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { hash, type Options, parseOptions, verify } from '@node-rs/argon2'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter } from 'prom-client'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { Admission } from './admission.js'

export interface Verification {
  readonly matches: boolean
  /** It was made with other parameters than new hashes are: time to make it anew. */
  readonly outdated: boolean
}

// OWASP ASVS 5.0 appendix C approves argon2id with 19 MiB and two passes.
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const QUEUE = 32
// A core stays free for the event loop, or a storm of logins would slow down every request; and one of the four threads of
// libuv for what else needs one: looking up names, reading files.
const SLOTS = Math.min(Math.max(availableParallelism() - 1, 1), 3)

/** argon2id with a pepper, off the event loop, a few at a time. */
@Injectable()
export class HashingService implements OnModuleInit {
  private readonly admission = new Admission(SLOTS, QUEUE)
  private readonly options: Options
  private readonly malformed: Counter
  /** What the password of nobody is compared with: unknown users must take as long as known ones. */
  private nobodys = ''

  constructor(
    @Inject(ENV) env: AccountsEnv,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.options = { ...PARAMETERS, secret: Buffer.from(env.PASSWORD_PEPPER) }
    this.malformed = new Counter({
      name: 'password_hash_malformed_total',
      help: 'Stored password hashes that could not be read: somebody or something has damaged the user table.',
      registers: [metrics.registry],
    })
  }

  async onModuleInit(): Promise<void> {
    this.nobodys = await this.hash(randomBytes(32).toString('base64'))
  }

  /** Problem `Busy` when so many passwords wait that another one would be refused. */
  requireRoom(): void {
    this.admission.requireRoom()
  }

  hash(password: string): Promise<string> {
    return this.admission.run(() => hash(password, this.options))
  }

  /** Compares with a stored hash, or with nobody's; always one hash's worth of work. */
  verify(stored: string | undefined, password: string): Promise<Verification> {
    return this.admission.run(async () => {
      const readable = this.readable(stored)
      const matches = await verify(readable ?? this.nobodys, password, this.options)
      return readable === undefined ? { matches: false, outdated: false } : { matches, outdated: isOutdated(readable) }
    })
  }

  private readable(stored: string | undefined): string | undefined {
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

function isOutdated(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored)
  return memoryCost !== PARAMETERS.memoryCost || timeCost !== PARAMETERS.timeCost || parallelism !== PARAMETERS.parallelism
}
