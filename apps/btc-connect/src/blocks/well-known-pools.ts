import type { MiningPool } from './pool.js'

/** Pools and the texts in their coinbases. An operator's POOLS_FILE adds to the list. */
export const WELL_KNOWN_POOLS: readonly MiningPool[] = [
  pool('Foundry USA', 'https://foundrydigital.com', 'Foundry USA Pool'),
  pool('AntPool', 'https://www.antpool.com', 'AntPool', 'Mined by antpool'),
  pool('ViaBTC', 'https://www.viabtc.com', 'ViaBTC', 'viabtc.com deploy'),
  pool('F2Pool', 'https://www.f2pool.com', '/F2Pool/', '七彩神仙鱼', '🐟'),
  pool('SpiderPool', 'https://www.spiderpool.com', 'SpiderPool'),
  pool('MARA Pool', 'https://www.mara.com', 'MARA Pool', 'MARA Made in USA'),
  pool('SECPOOL', 'https://www.secpool.com', 'SecPool'),
  pool('Luxor', 'https://luxor.tech', '/LUXOR/', 'Powered by Luxor Tech'),
  pool('OCEAN', 'https://ocean.xyz', 'OCEAN.XYZ'),
  pool('Braiins Pool', 'https://braiins.com/pool', '/slush/', 'Braiins'),
  pool('SBI Crypto', 'https://sbicrypto.com', 'SBICrypto', 'SBI Crypto'),
  pool('Binance Pool', 'https://pool.binance.com', '/Binance/', 'binance'),
  pool('Poolin', 'https://www.poolin.com', '/poolin.com'),
  pool('BTC.com', 'https://pool.btc.com', '/BTC.COM/', 'btccom'),
  pool('BTC.TOP', 'https://www.btc.top', '/BTC.TOP/'),
  pool('ULTIMUSPOOL', 'https://www.ultimuspool.com', '/ultimus/', 'ultimus'),
  pool('WhitePool', 'https://whitebit.com/mining-pool', 'WhitePool'),
  pool('EMCD', 'https://pool.emcd.io', 'emcd', 'EMCD'),
  pool('NiceHash', 'https://www.nicehash.com', 'NiceHash'),
  pool('Mining Squared', 'https://pool.bsquared.network', 'bsquared'),
  pool('Mining-Dutch', 'https://www.mining-dutch.nl', 'Mining-Dutch', 'mining-dutch'),
  pool('Solo CK', 'https://solo.ckpool.org', 'solo.ckpool', 'ckpool'),
  pool('Public Pool', 'https://web.public-pool.io', 'Public-Pool', 'public-pool'),
  pool('Bitcoin.com', 'https://www.bitcoin.com', 'pool.bitcoin.com'),
  pool('molepool', 'https://molepool.com', 'molepool.com'),
  pool('SoloPool', 'https://solopool.org', 'solopool.org'),
  pool('2Miners', 'https://2miners.com', '2miners'),
  pool('litecoinpool.org', 'https://www.litecoinpool.org', 'litecoinpool.org'),
  pool('Mining Pool Hub', 'https://miningpoolhub.com', 'miningpoolhub'),
  pool('Prohashing', 'https://prohashing.com', 'prohashing'),
]

function pool(name: string, link: string, ...tags: string[]): MiningPool {
  return { name, link, tags, addresses: [] }
}
