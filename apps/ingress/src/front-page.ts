import type { IncomingMessage } from 'node:http'
import { DEPLOYMENTS } from '@trestle/contracts/areas'

/** What `GET /` answers while no console stands there: where everything is. */
export function frontPage(
  { method = '', url }: Pick<IncomingMessage, 'method' | 'url'>,
  deployed: ReadonlyMap<string, unknown>,
): string | undefined {
  if (url?.split('?', 1)[0] !== '/' || !['GET', 'HEAD'].includes(method)) return undefined
  const here = DEPLOYMENTS.filter(({ name }) => deployed.has(name))
  return JSON.stringify({
    name: 'trestle',
    areas: Object.fromEntries(here.map(({ name, basePath }) => [name, basePath])),
    docs: Object.fromEntries(here.map(({ name, basePath }) => [name, `${basePath}/docs`])),
  })
}
