import { findDaemon } from '@trestle/devnet/chains/daemon'
import { describeDriver } from './driver-suite.js'
import { localHarness } from './local-harness.js'

describeDriver('local, with litecoind', async () => localHarness('ltc', { litecoind: (await findDaemon('litecoind')).command }))
