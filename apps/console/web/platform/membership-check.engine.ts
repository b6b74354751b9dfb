import { Problem } from '@trestle/problem/problem'
import { chooseOrganization, currentOrganization } from './organization-choice.engine.js'

interface Surroundings {
  /** The organizations that accounts knows the user in. */
  readonly list: () => Promise<readonly { readonly id: string }[]>
  /** Asks again for what the pages show. */
  readonly refresh: () => unknown
  readonly pause: () => Promise<unknown>
}

/** Tells a chosen organization that the user has left from one that a service has not heard of yet: that takes it up to some seconds. */
export class MembershipCheck {
  private isRunning = false

  constructor(private readonly surroundings: Surroundings) {}

  /** Call with every error: an answer that the chosen organization is unknown begins a check. */
  async notice(error: unknown): Promise<void> {
    if (this.isRunning || !(error instanceof Problem) || error.code !== 'UnknownOrganization' || currentOrganization() === undefined) return
    this.isRunning = true
    try {
      await this.check()
    } finally {
      this.isRunning = false
    }
    this.surroundings.refresh()
  }

  private async check(): Promise<void> {
    const known = await this.surroundings.list().catch(() => undefined)
    const isMember = known?.some(({ id }) => id === currentOrganization()) ?? true
    if (isMember) await this.surroundings.pause()
    else chooseOrganization(undefined)
  }
}
