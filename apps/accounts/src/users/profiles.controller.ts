import { Controller } from '@nestjs/common'
import { users } from '@trestle/contracts/accounts/users'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { ProfilesService } from './profiles.service.js'

@Controller()
export class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  @Serves(users.me)
  me(@CurrentCaller() caller: CurrentCaller): Promise<Reply<typeof users.me>> {
    return this.profiles.get(caller.userId)
  }

  @Serves(users.update)
  update(@CurrentCaller() caller: CurrentCaller, @Parsed() { body }: Input<typeof users.update>): Promise<Reply<typeof users.update>> {
    return this.profiles.update(caller.userId, body)
  }
}
