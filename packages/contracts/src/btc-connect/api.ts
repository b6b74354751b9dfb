import { deliveryEndpoints } from '../delivery.js'
import { addresses } from './addresses.js'
import { blocks } from './blocks.js'
import { chainEvents } from './events.js'
import { fees } from './fees.js'
import { mempool } from './mempool.js'
import { raw } from './raw.js'
import { sending } from './sending.js'
import { status } from './status.js'
import { transactions } from './transactions.js'
import { wallets } from './wallets.js'

const delivery = deliveryEndpoints('')

/** Every endpoint of the Bitcoin-family data area (interface 4.4): what it serves, what the sdk calls, what the OpenAPI document says. */
export const btcConnect = { addresses, wallets, transactions, blocks, events: chainEvents, sending, fees, mempool, raw, status, delivery }
