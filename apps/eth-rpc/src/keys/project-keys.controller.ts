import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { projectKeys } from '@trestle/contracts/eth-rpc/project-keys'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { ProjectKeysService } from './project-keys.service.js'

@Controller()
export class ProjectKeysController {
  constructor(private readonly keys: ProjectKeysService) {}

  @Serves(projectKeys.create)
  create(
    @CurrentCaller() { organizationId, userId }: CurrentCaller,
    @Parsed() { params, body }: Input<typeof projectKeys.create>,
  ): Promise<Reply<typeof projectKeys.create>> {
    return this.keys.create({ organizationId, id: params.projectId }, userId, body)
  }

  @Serves(projectKeys.list)
  list(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params }: Input<typeof projectKeys.list>,
  ): Promise<Reply<typeof projectKeys.list>> {
    return this.keys.list({ organizationId, id: params.projectId })
  }

  @Serves(projectKeys.change)
  change(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params, body }: Input<typeof projectKeys.change>,
  ): Promise<Reply<typeof projectKeys.change>> {
    return this.keys.change({ organizationId, id: params.projectId }, params.keyNumber, body)
  }

  @Serves(projectKeys.remove)
  remove(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Input<typeof projectKeys.remove>): Promise<void> {
    return this.keys.remove({ organizationId, id: params.projectId }, params.keyNumber)
  }
}
