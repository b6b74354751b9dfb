import { DEPLOYMENTS, type Deployment } from '@trestle/contracts/areas'
import { z } from 'zod'
import { consoleFetch } from './client.js'

export interface ServiceHealth {
  readonly name: string
  /** `absent`: the platform does without it. */
  readonly state: 'up' | 'down' | 'absent'
  readonly version?: string
  readonly latencyMs?: number
  /** What the platform says, where it is not up. */
  readonly reason?: string
}

const FrontPage = z.object({ version: z.string() })
const Refused = z.object({ code: z.string(), detail: z.string() })
const TIMEOUT_MS = 10_000

/** All that answers calls, in the order of the areas. */
export const SERVICES = DEPLOYMENTS.filter(({ app }) => app !== 'console')

/** Whether a service answers with its front page, and how soon. */
export async function healthOf(service: Pick<Deployment, 'name' | 'basePath'>): Promise<ServiceHealth> {
  const { name } = service
  const startedAt = performance.now()
  try {
    const response = await consoleFetch(`/api${service.basePath}/`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const latencyMs = performance.now() - startedAt
    const body: unknown = await response.json().catch(() => undefined)
    const refused = Refused.safeParse(body).data
    if (refused?.code === 'NotDeployed' || refused?.code === 'NotFound') return { name, state: 'absent', reason: refused.detail }
    // What stands in front of the services answers so for one that does not.
    if (response.status >= 502) return { name, state: 'down', reason: refused?.detail }
    return { name, state: 'up', latencyMs, version: FrontPage.safeParse(body).data?.version }
  } catch {
    return { name, state: 'down' }
  }
}
