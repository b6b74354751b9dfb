import { Controller } from '@nestjs/common'
import { emailChanges } from '@trestle/contracts/accounts/email-changes'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { RequestOrigin } from '../throttling/request-origin.decorator.js'
import { EmailChangeConfirmationService } from './email-change-confirmation.service.js'
import { EmailChangeRequestService } from './email-change-request.service.js'
import { EmailChangeUndoService } from './email-change-undo.service.js'

@Controller()
export class EmailChangesController {
  constructor(
    private readonly requests: EmailChangeRequestService,
    private readonly confirmations: EmailChangeConfirmationService,
    private readonly undoing: EmailChangeUndoService,
  ) {}

  @Serves(emailChanges.request)
  request(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { body }: Input<typeof emailChanges.request>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof emailChanges.request>> {
    return this.requests.request(caller, body, origin)
  }

  @Serves(emailChanges.confirm)
  confirm(
    @Parsed() { params }: Input<typeof emailChanges.confirm>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof emailChanges.confirm>> {
    return this.confirmations.confirm(params.id, params.token, origin)
  }

  @Serves(emailChanges.undo)
  undo(
    @Parsed() { params }: Input<typeof emailChanges.undo>,
    @RequestOrigin() origin: RequestOrigin,
  ): Promise<Reply<typeof emailChanges.undo>> {
    return this.undoing.undo(params.id, params.token, origin)
  }
}
