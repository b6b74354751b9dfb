import { Controller } from '@nestjs/common'
import type { Input, Reply } from '@trestle/contracts/endpoint'
import { catalogue } from '@trestle/contracts/nodes/catalogue'
import { Parsed, Serves } from '@trestle/runtime/serves'
import { CatalogueEntriesService } from './catalogue-entries.service.js'

type Of<E extends keyof typeof catalogue> = Input<(typeof catalogue)[E]>
type Replied<E extends keyof typeof catalogue> = Promise<Reply<(typeof catalogue)[E]>>

@Controller()
export class CatalogueController {
  constructor(private readonly offers: CatalogueEntriesService) {}

  @Serves(catalogue.chains)
  chains(): Replied<'chains'> {
    return this.offers.chains('node')
  }

  @Serves(catalogue.nodeChains)
  nodeChains(): Replied<'nodeChains'> {
    return this.offers.chains('node')
  }

  @Serves(catalogue.clusterChains)
  clusterChains(): Replied<'clusterChains'> {
    return this.offers.chains('cluster')
  }

  @Serves(catalogue.clusterChainsOld)
  clusterChainsOld(): Replied<'clusterChainsOld'> {
    return this.offers.chains('cluster')
  }

  @Serves(catalogue.nodeServices)
  nodeServices(): Replied<'nodeServices'> {
    return this.offers.services('node')
  }

  @Serves(catalogue.clusterServices)
  clusterServices(): Replied<'clusterServices'> {
    return this.offers.services('cluster')
  }

  @Serves(catalogue.clusterServicesOld)
  clusterServicesOld(): Replied<'clusterServicesOld'> {
    return this.offers.services('cluster')
  }

  @Serves(catalogue.disable)
  disable(@Parsed() { params }: Of<'disable'>): Replied<'disable'> {
    return this.offers.disable(params.id)
  }

  @Serves(catalogue.enable)
  enable(@Parsed() { params }: Of<'enable'>): Replied<'enable'> {
    return this.offers.enable(params.id)
  }
}
