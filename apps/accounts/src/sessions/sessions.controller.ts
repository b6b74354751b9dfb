import { Controller } from '@nestjs/common'
import { sessions } from '@trestle/contracts/accounts/sessions'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { SessionsService } from './sessions.service.js'

@Controller()
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Serves(sessions.list)
  list(@CurrentCaller() caller: CurrentCaller): Promise<Reply<typeof sessions.list>> {
    return this.sessions.list(caller)
  }

  @Serves(sessions.end)
  end(@CurrentCaller() caller: CurrentCaller, @Parsed() { params }: Input<typeof sessions.end>): Promise<void> {
    return this.sessions.end(caller, params.id)
  }

  @Serves(sessions.endAll)
  endAll(@CurrentCaller() caller: CurrentCaller): Promise<void> {
    return this.sessions.endAll(caller)
  }
}
