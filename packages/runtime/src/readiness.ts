import { Injectable } from '@nestjs/common'
import { withTimeout } from './with-timeout.js'

type Check = () => Promise<void> | void

export interface ReadinessReport {
  ready: boolean
  checks: Record<string, 'ok' | 'failed'>
}

const CHECK_LIMIT_MS = 2000

/** Whether this replica should be sent requests. */
@Injectable()
export class Readiness {
  /** Set when the service begins to stop; it does not become ready again. */
  stopping = false
  private readonly checks = new Map<string, Check>()

  add(name: string, check: Check): void {
    this.checks.set(name, check)
  }

  async report(): Promise<ReadinessReport> {
    const entries = await Promise.all([...this.checks].map(async ([name, check]) => [name, await passes(check)] as const))
    const checks = Object.fromEntries(entries.map(([name, ok]) => [name, ok ? ('ok' as const) : ('failed' as const)]))
    return { ready: !this.stopping && entries.every(([, ok]) => ok), checks }
  }
}

async function passes(check: Check): Promise<boolean> {
  try {
    await withTimeout(CHECK_LIMIT_MS, check)
    return true
  } catch {
    return false
  }
}
