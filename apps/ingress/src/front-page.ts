import type { IncomingMessage } from 'node:http'
import type { Deployment } from '@trestle/contracts/areas'
import type { ServedChain } from '@trestle/contracts/chains/chain'
import { describeChain } from '@trestle/contracts/chains/discovery'

type Asked = Pick<IncomingMessage, 'method' | 'url'>

interface Here {
  /** By the names of the deployments. */
  readonly upstreams: ReadonlyMap<string, unknown>
  readonly deployments: readonly Deployment[]
  readonly chains: readonly ServedChain[]
  readonly publicUrl?: string
}

/** What `GET /` answers while no console stands there: where everything is. */
export function frontPage(asked: Asked, { deployments, upstreams }: Here): string | undefined {
  if (!isRead(asked, '/')) return undefined
  const here = deployments.filter(({ name }) => upstreams.has(name))
  return JSON.stringify({
    name: 'trestle',
    areas: Object.fromEntries(here.map(({ name, basePath }) => [name, basePath])),
    docs: Object.fromEntries(here.map(({ name, basePath }) => [name, `${basePath}/docs`])),
  })
}

/** What `GET /chains` answers: the chains that are deployed here. */
export function chainsPage(asked: Asked & Pick<IncomingMessage, 'headers'>, { chains, upstreams, publicUrl }: Here): string | undefined {
  if (!isRead(asked, '/chains')) return undefined
  const base = publicUrl ?? `http://${asked.headers.host}`
  return JSON.stringify(chains.filter(({ name }) => upstreams.has(name)).map((chain) => describeChain(chain, base)))
}

function isRead({ method = '', url = '' }: Asked, path: string): boolean {
  const [asked = '/'] = url.split('?', 1)
  return ['GET', 'HEAD'].includes(method) && (asked === path || asked === `${path}/`)
}
