import { Controller } from '@nestjs/common'
import { organizations } from '@trestle/contracts/accounts/organizations'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { RolesService } from './roles.service.js'

@Controller()
export class RolesController {
  constructor(private readonly roles: RolesService) {}

  @Serves(organizations.roles)
  list(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params }: Input<typeof organizations.roles>,
  ): Promise<Reply<typeof organizations.roles>> {
    return this.roles.list(caller, params.id)
  }

  @Serves(organizations.role)
  get(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params }: Input<typeof organizations.role>,
  ): Promise<Reply<typeof organizations.role>> {
    return this.roles.get(caller, params.id, params.name)
  }

  @Serves(organizations.setRole)
  set(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, body }: Input<typeof organizations.setRole>,
  ): Promise<Reply<typeof organizations.setRole>> {
    return this.roles.set(caller, params.id, { name: params.name, permissions: body.permissions })
  }

  @Serves(organizations.removeRole)
  remove(@CurrentCaller() caller: CurrentCaller, @Parsed() { params }: Input<typeof organizations.removeRole>): Promise<void> {
    return this.roles.remove(caller, params.id, params.name)
  }
}
