"""The engine of bidding on digits: the ladder of bids, the slips, and what is at stake."""
