import { Anchor, Button, Group } from '@mantine/core'
import type { Project } from '@trestle/contracts/eth-rpc/projects'
import { Link } from 'react-router'
import { formatCount } from '../parts/amount.js'
import { ChooseChain } from '../parts/choose-chain.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { ListPage } from '../parts/list-page.js'
import { Time } from '../parts/time.js'
import { ethereumTexts } from '../texts/ethereum.js'
import { ethereumPath, useEthereumChain, useProjects } from './chain.js'

const texts = ethereumTexts.projects

/** The user's projects on a chain. */
export function ProjectsPage() {
  const { chain, at, title: chainTitle } = useEthereumChain()
  return (
    <ListPage
      texts={{ ...texts, title: ethereumTexts.title, description: texts.description(chainTitle) }}
      query={useProjects()}
      createPath={at('/new')}
      actions={
        <Button component={Link} to={at('/playground')} variant="default">
          {texts.playground}
        </Button>
      }
      header={
        <Group>
          <ChooseChain area="eth-rpc" chain={chain} to={ethereumPath} />
        </Group>
      }
    >
      {(projects) => <DataTable label={texts.label} rows={projects} columns={columns(at)} keyOf={({ id }) => id} />}
    </ListPage>
  )
}

function columns(at: (path: string) => string): readonly Column<Project>[] {
  return [
    {
      name: 'name',
      header: texts.name,
      width: '2fr',
      cell: ({ id, name }) => (
        <Anchor component={Link} to={at(`/projects/${id}`)}>
          {name}
        </Anchor>
      ),
    },
    { name: 'access', header: texts.access, width: '2fr', cell: (project) => accessOf(project).join(', ') },
    { name: 'limits', header: texts.limits, align: 'right', cell: ({ limits }) => texts.perSecond(formatCount(limits.perSecond)) },
    { name: 'created', header: texts.created, align: 'right', cell: ({ createdAt }) => <Time value={createdAt} /> },
  ]
}

/** What a call needs, in short. */
function accessOf(project: Project): string[] {
  const { requireToken, allowedOrigins, allowedMethods, allowedContracts, allowedIps } = project
  const limited = [
    requireToken && texts.restrictions.token,
    allowedOrigins.length > 0 && texts.restrictions.origins,
    allowedIps.length > 0 && texts.restrictions.ips,
    allowedMethods.length > 0 && texts.restrictions.methods,
    allowedContracts.length > 0 && texts.restrictions.contracts,
  ].filter((each) => each !== false)
  return limited.length > 0 ? limited : [texts.restrictions.none]
}
