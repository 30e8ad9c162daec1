/* SPDX-License-Identifier: Apache-2.0 */
/* campaign/campaign.h - one search, shared between workers and machines.
 *
 * Purpose     What a session is given to share its search (session/sharing.h): the parts of the search are
 *             items of a campaign (store/exchange/exchange.h), which workers take, divide and hand in.
 * Words       campaign, item, part, worker, leader: docs/glossary.md, docs/parallel.md.
 */
#pragma once

#include "session/sharing.h"

extern const ses_sharing cam_sharing;
