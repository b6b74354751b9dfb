import { Module } from '@nestjs/common'
import { ErrorTranslators } from '@trestle/runtime/error-translators'
import { Lifecycle } from '@trestle/runtime/lifecycle'
import { BlockSource } from './block-source.js'
import { NodeClient } from './node.client.js'
import { NodeBlocksClient } from './node-blocks.client.js'
import { NodeCapabilitiesService } from './node-capabilities.service.js'
import { NodeEvents } from './node-events.engine.js'
import { nodeProblem } from './node-problem.js'

/** The chain's node: calls, blocks and events. */
@Module({
  providers: [NodeClient, NodeCapabilitiesService, NodeEvents, NodeBlocksClient, { provide: BlockSource, useExisting: NodeBlocksClient }],
  exports: [NodeClient, NodeCapabilitiesService, NodeEvents, NodeBlocksClient, BlockSource],
})
export class NodeModule {
  constructor(node: NodeClient, lifecycle: Lifecycle, translators: ErrorTranslators) {
    lifecycle.onClose(() => node.close())
    translators.add(nodeProblem)
  }
}
