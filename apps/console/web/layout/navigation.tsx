import {
  IconActivity,
  IconBuilding,
  IconCurrencyBitcoin,
  IconCurrencyEthereum,
  IconHome,
  IconKey,
  IconPigMoney,
  IconServer,
  IconServer2,
  IconSettings,
  IconShield,
  IconTrash,
} from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { useSession } from '../platform/use-session.js'
import { layoutTexts } from '../texts/layout.js'

const { nav } = layoutTexts
const PAGES = [
  { to: '/app', label: nav.overview, icon: IconHome },
  { to: '/app/nodes', label: nav.nodes, icon: IconServer },
  { to: '/app/clusters', label: nav.clusters, icon: IconServer2 },
  { to: '/app/staking', label: nav.staking, icon: IconPigMoney },
  { to: '/app/bitcoin', label: nav.bitcoin, icon: IconCurrencyBitcoin },
  { to: '/app/ethereum', label: nav.ethereum, icon: IconCurrencyEthereum },
  { to: '/app/keys', label: nav.keys, icon: IconKey },
  { to: '/app/organization', label: nav.organization, icon: IconBuilding },
  { to: '/app/activity', label: nav.activity, icon: IconActivity },
  { to: '/app/deleted', label: nav.deleted, icon: IconTrash },
  { to: '/app/settings', label: nav.settings, icon: IconSettings },
]
const ADMINISTRATION = { to: '/app/administration', label: nav.administration, icon: IconShield }

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { data } = useSession()
  const pages = data?.manager ? [...PAGES, ADMINISTRATION] : PAGES
  return pages.map(({ to, label, icon: Icon }) => (
    <NavLink key={to} to={to} end={to === '/app'} className="nav-link" onClick={onNavigate}>
      <Icon size={18} stroke={1.6} aria-hidden />
      {label}
    </NavLink>
  ))
}
