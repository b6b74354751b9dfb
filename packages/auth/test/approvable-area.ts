import { Controller, type DynamicModule, type Type } from '@nestjs/common'
import { APPROVABLE_ENDPOINTS } from '@trestle/contracts/approvable-call'
import type { ClientArea } from '@trestle/contracts/areas'
import type { EndpointSpec } from '@trestle/contracts/endpoint'
import { bootService, type RunningService } from '@trestle/runtime/boot-service'
import { Serves } from '@trestle/runtime/serves'
import { AuthModule, type AuthOptions } from '../src/auth.module.js'
import { Memberships } from '../src/memberships.js'
import { Revocations } from '../src/revocations.js'
import { ISSUER } from './issuer.js'
import { authTestEnv } from './service.js'
import { noMessaging } from './sources.js'

/** A service of this area, with a handler for each of its endpoints that may need an approval. */
export async function startArea(
  area: ClientArea,
  options: Partial<AuthOptions>,
  onServed: (name: string) => void,
): Promise<RunningService> {
  const endpoints = APPROVABLE_ENDPOINTS.filter((each) => each.area === area).map(({ endpoint }) => endpoint)
  class AreaModule {}
  const imports = [noMessaging(), AuthModule.forRoot({ area, issuer: ISSUER, ...options })]
  const module: DynamicModule = { module: AreaModule, imports, controllers: [controllerOf(endpoints, onServed)] }
  const named = Object.fromEntries(endpoints.map((endpoint, index) => [`call${index}`, endpoint]))
  const service = await bootService(module, { name: 'test', version: '0', env: authTestEnv(), endpoints: { named } })
  await service.app.get(Memberships).poll()
  await service.app.get(Revocations).poll()
  return service
}

function controllerOf(endpoints: readonly EndpointSpec[], onServed: (name: string) => void): Type {
  class Generated {}
  for (const [index, endpoint] of endpoints.entries()) {
    const name = `call${index}`
    const value = () => {
      onServed(name)
      return endpoint.reply ? {} : undefined
    }
    Object.defineProperty(Generated.prototype, name, { value, configurable: true, writable: true })
    const descriptor = Object.getOwnPropertyDescriptor(Generated.prototype, name)
    Serves(endpoint)(Generated.prototype, name, descriptor as never)
    Object.defineProperty(Generated.prototype, name, descriptor ?? {})
  }
  Controller()(Generated)
  return Generated
}
