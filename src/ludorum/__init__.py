"""Ludorum: a general game player. Rules in, games out."""
