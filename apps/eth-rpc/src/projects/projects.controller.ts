import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { projects } from '@trestle/contracts/eth-rpc/projects'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { ProjectsService } from './projects.service.js'

@Controller()
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Serves(projects.create)
  create(
    @CurrentCaller() { userId }: CurrentCaller,
    @Parsed() { body }: Input<typeof projects.create>,
  ): Promise<Reply<typeof projects.create>> {
    return this.projects.create(userId, body)
  }

  @Serves(projects.list)
  list(@CurrentCaller() { userId }: CurrentCaller): Promise<Reply<typeof projects.list>> {
    return this.projects.list(userId)
  }

  @Serves(projects.get)
  get(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Input<typeof projects.get>): Promise<Reply<typeof projects.get>> {
    return this.projects.get({ ownerId: userId, id: params.projectId })
  }

  @Serves(projects.change)
  change(
    @CurrentCaller() { userId }: CurrentCaller,
    @Parsed() { params, body }: Input<typeof projects.change>,
  ): Promise<Reply<typeof projects.change>> {
    return this.projects.change({ ownerId: userId, id: params.projectId }, body)
  }

  @Serves(projects.rotate)
  rotate(
    @CurrentCaller() { userId }: CurrentCaller,
    @Parsed() { params, body }: Input<typeof projects.rotate>,
  ): Promise<Reply<typeof projects.rotate>> {
    return this.projects.rotate({ ownerId: userId, id: params.projectId }, body)
  }

  @Serves(projects.remove)
  remove(@CurrentCaller() { userId }: CurrentCaller, @Parsed() { params }: Input<typeof projects.remove>): Promise<void> {
    return this.projects.remove({ ownerId: userId, id: params.projectId })
  }
}
