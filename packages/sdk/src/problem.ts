// biome-ignore lint/performance/noBarrelFile: who has the sdk alone has nowhere else to take it from
export { Problem } from '@trestle/problem/problem'
