import { Controller } from '@nestjs/common'
import { Authorization } from '@trestle/auth/authorization'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { clusters } from '@trestle/contracts/nodes/clusters'
import { nodes } from '@trestle/contracts/nodes/nodes'
import { CurrentCaller, Parsed, Serves } from '@trestle/runtime/serves'
import { ClustersService } from './clusters.service.js'
import { NodesService } from './nodes.service.js'

/** From one organization to another: by who may delete here and create there. */
@Controller()
export class TransfersController {
  constructor(
    private readonly nodes: NodesService,
    private readonly clusters: ClustersService,
    private readonly authorization: Authorization,
  ) {}

  @Serves(nodes.transfer)
  node(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, body }: Input<typeof nodes.transfer>,
  ): Promise<Reply<typeof nodes.transfer>> {
    this.authorization.require(caller, 'nodes:create', body.organization)
    return this.nodes.transfer({ organizationId: caller.organizationId, ...params }, body.organization)
  }

  @Serves(clusters.transfer)
  cluster(
    @CurrentCaller() caller: CurrentCaller,
    @Parsed() { params, body }: Input<typeof clusters.transfer>,
  ): Promise<Reply<typeof clusters.transfer>> {
    this.authorization.require(caller, 'nodes:create', body.organization)
    return this.clusters.transfer({ organizationId: caller.organizationId, ...params }, body.organization)
  }
}
