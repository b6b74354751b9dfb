import { type Area, type Deployment, deploymentsOf } from '@trestle/contracts/areas'
import type { ChainFamily } from '@trestle/contracts/chains/chain'
import { CHAIN_FAMILIES } from '@trestle/contracts/chains/chains'
import { z } from 'zod'
import { consoleFetch } from './client.js'

export interface ServiceHealth {
  readonly name: string
  /** `absent`: the platform does without it. */
  readonly state: 'up' | 'down' | 'absent'
  readonly version?: string
  readonly latencyMs?: number
  /** Why it is not up, as the platform reports. */
  readonly reason?: string
}

const FrontPage = z.object({ version: z.string() })
const Refused = z.object({ code: z.string(), detail: z.string() })
const TIMEOUT_MS = 10_000

/** What answers calls. */
export interface PlatformService extends Pick<Deployment, 'name' | 'basePath'> {
  readonly app: Area
}

/** The services of a platform that serves these chains, in the order of the areas. */
export function servicesOf(chains: readonly { readonly name: string; readonly family: ChainFamily }[]): readonly PlatformService[] {
  return [
    ...deploymentsOf([]).flatMap(({ name, app, basePath }) => (app === 'console' ? [] : [{ name, app, basePath }])),
    ...chains.map(({ name, family }): PlatformService => ({ name, app: CHAIN_FAMILIES[family].app, basePath: `/${name}` })),
  ]
}

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
    // The ingress answers so for a service that does not.
    if (response.status >= 502) return { name, state: 'down', reason: refused?.detail }
    return { name, state: 'up', latencyMs, version: FrontPage.safeParse(body).data?.version }
  } catch {
    return { name, state: 'down' }
  }
}
