import { deliveryEndpoints } from '../delivery.js'
import { catalogue } from './catalogue.js'
import { clusters } from './clusters.js'
import { nodes } from './nodes.js'
import { plans } from './plans.js'
import { workloadUsage } from './usage.js'

const delivery = deliveryEndpoints('')

export const nodesArea = { catalogue, nodes, clusters, plans, usage: workloadUsage, delivery }
