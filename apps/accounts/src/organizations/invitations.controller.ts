import { Controller } from '@nestjs/common'
import { organizations } from '@trestle/contracts/accounts/organizations'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { InvitationAcceptanceService } from './invitation-acceptance.service.js'
import { InvitationsService } from './invitations.service.js'

@Controller()
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly acceptance: InvitationAcceptanceService,
  ) {}

  @Serves(organizations.invite)
  invite(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, body }: Input<typeof organizations.invite>,
  ): Promise<Reply<typeof organizations.invite>> {
    return this.invitations.invite(caller, params.id, body)
  }

  @Serves(organizations.invitations)
  list(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params }: Input<typeof organizations.invitations>,
  ): Promise<Reply<typeof organizations.invitations>> {
    return this.invitations.list(caller, params.id)
  }

  @Serves(organizations.withdraw)
  withdraw(@CurrentCaller() caller: CurrentCaller, @Parsed() { params }: Input<typeof organizations.withdraw>): Promise<void> {
    return this.invitations.withdraw(caller, params.id, params.invitationId)
  }

  @Serves(organizations.accept)
  accept(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params }: Input<typeof organizations.accept>,
  ): Promise<Reply<typeof organizations.accept>> {
    return this.acceptance.accept(caller.userId, params.token)
  }
}
