import { Controller } from '@nestjs/common'
import { clientKeys } from '@trestle/contracts/accounts/client-keys'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { ClientKeyCreationService } from './client-key-creation.service.js'
import { ClientKeysService } from './client-keys.service.js'

@Controller()
export class ClientKeysController {
  constructor(
    private readonly creation: ClientKeyCreationService,
    private readonly keys: ClientKeysService,
  ) {}

  @Serves(clientKeys.create)
  create(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { body }: Input<typeof clientKeys.create>,
  ): Promise<Reply<typeof clientKeys.create>> {
    return this.creation.create(caller, body)
  }

  @Serves(clientKeys.list)
  list(@CurrentCaller() caller: CurrentCaller): Promise<Reply<typeof clientKeys.list>> {
    return this.keys.list(caller)
  }

  @Serves(clientKeys.remove)
  remove(@CurrentCaller() caller: CurrentCaller, @Parsed() { params }: Input<typeof clientKeys.remove>): Promise<void> {
    return this.keys.remove(caller, params.id)
  }

  @Serves(clientKeys.change)
  change(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, body }: Input<typeof clientKeys.change>,
  ): Promise<Reply<typeof clientKeys.change>> {
    return this.keys.change(caller, params.id, body)
  }

  @Serves(clientKeys.rotate)
  rotate(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, body }: Input<typeof clientKeys.rotate>,
  ): Promise<Reply<typeof clientKeys.rotate>> {
    return this.keys.rotate(caller, params.id, body?.graceSeconds ?? 0)
  }
}
