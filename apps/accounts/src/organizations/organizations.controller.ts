import { Controller } from '@nestjs/common'
import { organizations } from '@trestle/contracts/accounts/organizations'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { MembersService } from './members.service.js'
import { OrganizationCreationService } from './organization-creation.service.js'
import { OrganizationsService } from './organizations.service.js'

@Controller()
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly creation: OrganizationCreationService,
    private readonly memberService: MembersService,
  ) {}

  @Serves(organizations.create)
  create(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { body }: Input<typeof organizations.create>,
  ): Promise<Reply<typeof organizations.create>> {
    return this.creation.create(caller.userId, body.name)
  }

  @Serves(organizations.list)
  list(@CurrentCaller() caller: CurrentCaller): Promise<Reply<typeof organizations.list>> {
    return this.organizations.list(caller.userId)
  }

  @Serves(organizations.get)
  get(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params }: Input<typeof organizations.get>,
  ): Promise<Reply<typeof organizations.get>> {
    return this.organizations.get(caller, params.id)
  }

  @Serves(organizations.rename)
  rename(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, body }: Input<typeof organizations.rename>,
  ): Promise<Reply<typeof organizations.rename>> {
    return this.organizations.rename(caller, params.id, body.name)
  }

  @Serves(organizations.remove)
  remove(@CurrentCaller() caller: CurrentCaller, @Parsed() { params }: Input<typeof organizations.remove>): Promise<void> {
    return this.organizations.remove(caller, params.id)
  }

  @Serves(organizations.members)
  members(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params }: Input<typeof organizations.members>,
  ): Promise<Reply<typeof organizations.members>> {
    return this.memberService.list(caller, params.id)
  }

  @Serves(organizations.changeRoles)
  changeRoles(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, body }: Input<typeof organizations.changeRoles>,
  ): Promise<Reply<typeof organizations.changeRoles>> {
    return this.memberService.changeRoles(caller, params.id, { memberId: params.userId, roles: body.roles })
  }

  @Serves(organizations.removeMember)
  removeMember(@CurrentCaller() caller: CurrentCaller, @Parsed() { params }: Input<typeof organizations.removeMember>): Promise<void> {
    return this.memberService.remove(caller, params.id, params.userId)
  }
}
