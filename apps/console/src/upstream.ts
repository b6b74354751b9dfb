import { deploymentOf } from '@trestle/contracts/areas'
import { Problem } from '@trestle/problem/problem'
import type { Behind } from './exchange.js'

/** Where a path of the platform is answered. */
export function originOf(path: string, { upstreams }: Pick<Behind, 'upstreams'>): string {
  const deployment = deploymentOf(path)
  if (!deployment || deployment.app === 'console') throw new Problem('unknown', 'NotFound', `There is no area at ${path}.`)
  const part = deployment.parts?.find((each) => path === each.path || path.startsWith(`${each.path}/`))
  const origin = (part && upstreams.get(part.name)) ?? upstreams.get(deployment.name)
  if (!origin) throw new Problem('unknown', 'NotDeployed', `${deployment.name} is not deployed here.`)
  return origin
}
