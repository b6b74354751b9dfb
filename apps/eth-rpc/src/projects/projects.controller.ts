import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { projects } from '@trestle/contracts/eth-rpc/projects'
import { Caller, Parsed, Serves } from '@trestle/runtime/serves'
import { ProjectsService } from './projects.service.js'

@Controller()
export class ProjectsController {
  constructor(private readonly projects: ProjectsService) {}

  @Serves(projects.create)
  create(@Caller() { userId }: Caller, @Parsed() { body }: Input<typeof projects.create>): Promise<Reply<typeof projects.create>> {
    return this.projects.create(userId, body)
  }

  @Serves(projects.list)
  list(@Caller() { userId }: Caller): Promise<Reply<typeof projects.list>> {
    return this.projects.list(userId)
  }

  @Serves(projects.get)
  get(@Caller() { userId }: Caller, @Parsed() { params }: Input<typeof projects.get>): Promise<Reply<typeof projects.get>> {
    return this.projects.get({ ownerId: userId, id: params.projectId })
  }

  @Serves(projects.change)
  change(@Caller() { userId }: Caller, @Parsed() { params, body }: Input<typeof projects.change>): Promise<Reply<typeof projects.change>> {
    return this.projects.change({ ownerId: userId, id: params.projectId }, body)
  }

  @Serves(projects.rotate)
  rotate(@Caller() { userId }: Caller, @Parsed() { params, body }: Input<typeof projects.rotate>): Promise<Reply<typeof projects.rotate>> {
    return this.projects.rotate({ ownerId: userId, id: params.projectId }, body)
  }

  @Serves(projects.remove)
  remove(@Caller() { userId }: Caller, @Parsed() { params }: Input<typeof projects.remove>): Promise<void> {
    return this.projects.remove({ ownerId: userId, id: params.projectId })
  }
}
