import { Controller } from '@nestjs/common'
import { accountDeletion } from '@trestle/contracts/accounts/account-deletion'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { AccountDeletionsService } from './account-deletions.service.js'
import { DeletionRequestService } from './deletion-request.service.js'

@Controller()
export class AccountDeletionController {
  constructor(
    private readonly requests: DeletionRequestService,
    private readonly deletions: AccountDeletionsService,
  ) {}

  @Serves(accountDeletion.get)
  get(@CurrentCaller() caller: CurrentCaller): Promise<Reply<typeof accountDeletion.get>> {
    return this.requests.preview(caller.userId)
  }

  @Serves(accountDeletion.request)
  request(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { body }: Input<typeof accountDeletion.request>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof accountDeletion.request>> {
    return this.requests.request(caller, body.password, origin)
  }

  @Serves(accountDeletion.cancel)
  cancel(@CurrentCaller() caller: CurrentCaller): Promise<void> {
    return this.deletions.cancel(caller.userId)
  }
}
