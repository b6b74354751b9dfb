import { Inject, Injectable } from '@nestjs/common'
import { Logger } from '@trestle/runtime/logger'
import { Metrics } from '@trestle/runtime/metrics'
import { Counter } from 'prom-client'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { isListed, passwordRangeOf } from './password-range.js'

const TIMEOUT_MS = 1_000
// About 800 lines of 40 bytes, and padding.
const MAX_BYTES = 256 * 1024

/**
 * Asks a server in the form of Have I Been Pwned's range API whether a password was stolen somewhere. Five digits of its SHA-1 leave this
 * process, never more. Where there is no such server, or it does not answer in time, no password is refused for it.
 */
@Injectable()
export class PasswordRangeClient {
  private readonly url: string | undefined
  private readonly failures: Counter

  constructor(
    @Inject(ENV) env: AccountsEnv,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.url = env.PASSWORD_RANGE_URL
    this.failures = new Counter({
      name: 'password_range_failures_total',
      help: 'Requests to PASSWORD_RANGE_URL that failed: new passwords were accepted without it.',
      registers: [metrics.registry],
    })
  }

  async isStolen(password: string): Promise<boolean> {
    if (this.url === undefined) return false
    const { prefix, suffix } = passwordRangeOf(password)
    try {
      return isListed(await this.read(`${this.url.replace(/\/+$/, '')}/${prefix}`), suffix)
    } catch (error) {
      this.failures.inc()
      this.logger.warn({ reason: reasonOf(error) }, 'cannot ask whether a password was stolen, accepted it')
      return false
    }
  }

  private async read(url: string): Promise<string> {
    const response = await fetch(url, {
      headers: { 'add-padding': 'true', 'user-agent': 'trestle' },
      // It could lead into the operator's own network.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return text(response)
  }
}

async function text({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1')
}

/** Without the URL, which ends in the prefix. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return error.name === 'TimeoutError' ? `no answer within ${TIMEOUT_MS} ms` : error.message.replaceAll(/https?:\S+/g, '[url]')
}
