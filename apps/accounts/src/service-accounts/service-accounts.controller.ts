import { Controller } from '@nestjs/common'
import { serviceAccounts } from '@trestle/contracts/accounts/service-accounts'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { ServiceAccountsService } from './service-accounts.service.js'

@Controller()
export class ServiceAccountsController {
  constructor(private readonly accounts: ServiceAccountsService) {}

  @Serves(serviceAccounts.create)
  create(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, body }: Input<typeof serviceAccounts.create>,
  ): Promise<Reply<typeof serviceAccounts.create>> {
    return this.accounts.create(caller, params.id, body)
  }

  @Serves(serviceAccounts.list)
  list(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params }: Input<typeof serviceAccounts.list>,
  ): Promise<Reply<typeof serviceAccounts.list>> {
    return this.accounts.list(caller, params.id)
  }

  @Serves(serviceAccounts.remove)
  remove(@CurrentCaller() caller: CurrentCaller, @Parsed() { params }: Input<typeof serviceAccounts.remove>): Promise<void> {
    return this.accounts.remove(caller, params.id, params.userId)
  }
}
