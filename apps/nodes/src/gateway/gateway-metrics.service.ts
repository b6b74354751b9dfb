import { Injectable } from '@nestjs/common'
import { Metrics } from '@trestle/runtime/metrics'
import { Gauge } from 'prom-client'

@Injectable()
export class GatewayMetrics {
  /** Ports of workloads that somebody else has. */
  portsTaken = 0

  constructor({ registry }: Metrics) {
    const taken: Gauge = new Gauge({
      name: 'node_ports_taken',
      help: 'Nodes and clusters whose own port another program has.',
      registers: [registry],
      collect: () => taken.set(this.portsTaken),
    })
  }
}
