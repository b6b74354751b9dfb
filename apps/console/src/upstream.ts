import { deploymentOf } from '@trestle/contracts/areas'
import { chainNamed } from '@trestle/contracts/chains/chains'
import { Problem } from '@trestle/problem/problem'
import type { Behind } from './exchange.js'

/** Where a path of the platform is answered. */
export function originOf(path: string, { upstreams, deployments }: Pick<Behind, 'upstreams' | 'deployments'>): string {
  const deployment = deploymentOf(path, deployments)
  if (!deployment || deployment.app === 'console') throw unknownArea(path)
  const part = deployment.parts?.find((each) => path === each.path || path.startsWith(`${each.path}/`))
  const origin = (part && upstreams.get(part.name)) ?? upstreams.get(deployment.name)
  if (!origin) throw new Problem('unknown', 'NotDeployed', `${deployment.name} is not deployed here.`)
  return origin
}

function unknownArea(path: string): Problem {
  const [, name = ''] = path.split('/')
  if (chainNamed(name)) return new Problem('unknown', 'NotDeployed', `${name} is not deployed here.`)
  return new Problem('unknown', 'NotFound', `There is no area at ${path}.`)
}
