import { Controller } from '@nestjs/common'
import { Authorization } from '@trestle/auth/authorization'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { projects } from '@trestle/contracts/eth-rpc/projects'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { UpstreamClientsService } from '../upstreams/upstream-clients.service.js'
import { checkQuorumNodes } from './project.js'
import { ProjectsService } from './projects.service.js'

@Controller()
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly authorization: Authorization,
    private readonly upstreams: UpstreamClientsService,
  ) {}

  @Serves(projects.create)
  create(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { body }: Input<typeof projects.create>,
  ): Promise<Reply<typeof projects.create>> {
    checkQuorumNodes(body, this.upstreams.all.length)
    return this.projects.create(caller, body)
  }

  @Serves(projects.list)
  list(@CurrentCaller() { organizationId }: CurrentCaller): Promise<Reply<typeof projects.list>> {
    return this.projects.list(organizationId)
  }

  @Serves(projects.get)
  get(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params }: Input<typeof projects.get>,
  ): Promise<Reply<typeof projects.get>> {
    return this.projects.get({ organizationId, id: params.projectId })
  }

  @Serves(projects.change)
  change(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params, body }: Input<typeof projects.change>,
  ): Promise<Reply<typeof projects.change>> {
    checkQuorumNodes(body, this.upstreams.all.length)
    return this.projects.change({ organizationId, id: params.projectId }, body)
  }

  @Serves(projects.rotate)
  rotate(
    @CurrentCaller() { organizationId }: CurrentCaller,
    @Parsed() { params, body }: Input<typeof projects.rotate>,
  ): Promise<Reply<typeof projects.rotate>> {
    return this.projects.rotate({ organizationId, id: params.projectId }, body)
  }

  @Serves(projects.transfer)
  transfer(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, body }: Input<typeof projects.transfer>,
  ): Promise<Reply<typeof projects.transfer>> {
    this.authorization.require(caller, 'eth:write', body.organization)
    return this.projects.transfer({ organizationId: caller.organizationId, id: params.projectId }, body.organization)
  }

  @Serves(projects.remove)
  remove(@CurrentCaller() { organizationId }: CurrentCaller, @Parsed() { params }: Input<typeof projects.remove>): Promise<void> {
    return this.projects.remove({ organizationId, id: params.projectId })
  }
}
